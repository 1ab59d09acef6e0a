import type { OperationId as ContractId } from '@atrium/contract/routes.ts';

// What the client must know of operations besides their routes. A test compares these lists with the contract.

/** Every operation of the client: those of the SCIM protocol take no API key, and aliases are for older clients. */
export type OperationId = Exclude<ContractId, `scim.${string}` | `${string}Alias`>;

/** Operations that answer with bytes or text: the client returns the `Response`. */
export const downloads = [
  'agents.getPicture',
  'audit.export',
  'conversationFiles.view',
  'conversations.export',
  'conversations.exportMany',
  'dataJobs.download',
  'documents.page',
  'files.download',
  'files.thumbnail',
  'identities.finishSignIn',
  'identities.startSignIn',
  'mcpServers.continueLogin',
  'mcpServers.finishLogin',
  'mcpServers.showLogin',
  'publicConversations.downloadFile',
  'sandboxes.readFile',
  'tables.export',
] as const;
export type DownloadId = (typeof downloads)[number];

/** Operations that take a form, with the field of its files. */
export const uploads = {
  'agents.setPicture': 'file',
  'documents.upload': 'files',
  'files.upload': 'file',
  'sandboxes.writeFile': 'file',
  'tables.createFromFile': 'file',
  'tables.import': 'file',
  'workspaces.import': 'file',
} as const;
export type UploadId = keyof typeof uploads;

/** Operations that take any bytes. */
export const raws = [
  'channels.receive',
  'mcpServers.continueLogin',
  'triggers.receiveHook',
  'uploads.append',
  'uploads.create',
] as const;
export type RawId = (typeof raws)[number];

/** Operations that answer with events: the client has streams in their place. */
export const streams = [
  'events.follow',
  'messages.follow',
  'messages.stream',
  'publicConversations.follow',
  'publicConversations.stream',
  'runs.follow',
  'terminals.follow',
] as const;
export type StreamId = (typeof streams)[number];

/** POSTs that ignore an Idempotency-Key: they are not repeated after a lost answer. */
export const isWithoutKey = (id: string): boolean =>
  /^(sessions|secondFactors|uploads)\.|^identities\.link$|\.(try|tryAction|exportMany|exportOwn)$/.test(id);
