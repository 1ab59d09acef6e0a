import type { ReachedRecord } from '@atrium/contract/approvals/schema.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint, ToolFile, ToolProgress, ToolSource } from '@atrium/contract/tools/tool-result.ts';
import type { z } from 'zod';
import type { Scope } from '../../lib/scope.ts';
import type { Anonymizer } from '../model-calls/ports.ts';

/** The settings whose entries say where secrets go. */
export const secretSettings = ['actions', 'tools', 'mcp_servers', 'databases'] as const;
export type SecretSetting = (typeof secretSettings)[number];

/** Where a revealed value is sent to. A secret is filled in only for the hosts that it is bound to. */
export interface SecretDestination {
  /** A web address or a connection string. Handles in it are filled in before its host is read. */
  address: string;
  /** The setting that the address stands in, where it is one of an agent or a conversation. */
  setting?: SecretSetting;
}

/** A secret is a handle, `{{secret.NAME}}`, until the last hop; this is the way there and back. */
export interface ToolSecrets {
  /**
   * Replaces every handle in the value by its secret, for a request to `to` only. Throws errors that the model may
   * read.
   */
  reveal<T>(value: T, to: SecretDestination): Promise<T>;
  /** The value with every revealed secret replaced by its handle again. */
  scrub<T>(value: T): T;
}

/** One call of a tool: its identity, and how the tool reports cost, taint and progress. */
export interface ToolCall {
  id: string;
  /** The id for a run that the call starts, when the caller must know it beforehand. */
  run_id?: string;
  /** The taint of the conversation before this call; a run that the call starts inherits it. */
  taint: readonly Taint[];
  /** A person has approved the call with what lies beneath its tool: the work that it starts is held to this digest. */
  approved_reach?: string;
  /** Adds a cost in US dollars to the usage of the run. */
  cost(usd: number): void;
  /** Adds taint that only this call can know, besides that of the tool. */
  brings(...kinds: Taint[]): void;
  /** Adds a warning to the reply: something that the call did not fail for, but users should know. */
  warn?(message: string): void;
  /** Reports the progress of the run that the call has started. */
  progress?(at: ToolProgress): void;
}

/** The question to a person, and the message to users in the meantime. */
export interface ToolQuestion {
  question: string;
  message: string;
  /** Seconds to wait for an answer; null: no limit. */
  timeout: number | null;
}
/** Data of the workspace that a model reads with the description of a tool. */
export interface ToolSample {
  /** JSON texts, anonymized for each model like the results of tools. */
  data: readonly string[];
  /** The taint that they bring into each run. */
  brings: readonly Taint[];
}

/** Everything that a call reaches beneath its tool, as it is now. */
export interface Reach {
  /** Changes with every version, graph, variable and address beneath. */
  digest: string;
  /** The hosts that it can send to; `*`: any. */
  recipients: readonly string[];
  beneath: readonly ReachedRecord[];
}

/** A tool of an agent. Its input and output are checked against their schemas. */
export interface Tool {
  tool: string;
  description: string;
  /** The texts in the description that are data, such as a summary of documents: they are anonymized like results. */
  data_in_description?: readonly string[];
  input: z.ZodType;
  output: z.ZodType;
  /** The sources in its output; the reply shows them. */
  sources?(output: unknown): readonly ToolSource[];
  /** The files of its output; each becomes a part of the reply. */
  files?(output: unknown): readonly ToolFile[];
  /** A call reads records of the workspace and changes nothing anywhere; evaluations may make it. */
  reads_only?: true;
  /** Whether an interrupted call may be repeated, as after a crash. */
  repeatable: boolean;
  /**
   * The tool is the last hop to this destination: handles in its input are filled in before it runs, and `reveal` does the
   * same with what it has from settings (headers, an address). Only for tools whose target the settings fix: where a model
   * chooses the target, it could have a secret sent anywhere.
   */
  reveals?: SecretDestination;
  /**
   * The taint of its results: `untrusted` text with an unknown author (the web, uploaded files, other servers),
   * `private` data of the workspace. A run with both needs approval before it sends anything out.
   */
  brings?: readonly Taint[];
  /** The taint of one result, where it can be less than `brings`. */
  brought?(output: unknown): readonly Taint[];
  /** Its description comes from another server: untrusted text that every model reads. */
  foreign?: true;
  /** Reads the data that is shown with the description. Called once for each run that offers the tool to a model. */
  sample?(): Promise<ToolSample | undefined>;
  /** The sample that was read. It is no part of what a person agrees to: rows change all the time. */
  sampled?: ToolSample | undefined;
  /** A call can carry what it is given out of the workspace; or whether a call with this input can, after this taint. */
  sends?: true | ((input: unknown, taint: ReadonlySet<Taint>) => boolean);
  /** The host that a call with this input sends to, where it is known; an approval can cover all calls to it. */
  recipient?(input: unknown): string | undefined;
  /** The entries of settings that it was made from, where its name does not tell: what they say of approvals holds. */
  entries?: readonly Readonly<Record<string, unknown>>[];
  /** Of a tool for several records: those of its entries that stand for the record that a call with this input names. */
  called?(input: unknown): readonly Readonly<Record<string, unknown>>[];
  /** What these entries stand for, where it can be changed apart from them: what a person agrees to holds for this. */
  pinned?: unknown;
  /**
   * What lies beneath the tool and can be changed while a call waits or between two calls. Read when a person is asked,
   * and once more right before the call.
   */
  reach?(): Promise<Reach>;
  /** Whether a person has to agree to a call with this input before it is made. */
  needs_approval?(input: unknown): boolean;
  /** The call is work with limits of its own, such as another run: `tool_timeout` does not end it, the run's time does. */
  outlasts?: true;
  /** The seconds that one call may take, where that is more than `tool_timeout`; the run's time still ends it. */
  time_s?: number;
  /** The permission that the actor of the run needs, where `tool_grant_scope` is `user`. */
  permission?: Permission;
  /**
   * Of tools by which a model reads the files of the conversation: the paths by which they know them, by file id, with what
   * to say of reading them. A long file is then shown as a summary.
   */
  reads_files?: {
    how(path: string): string;
    paths(scope: Scope): Promise<ReadonlyMap<string, string>>;
  };
  /**
   * The call is a question to a person: it is not run at all. The run waits, and what the person says is the result.
   */
  asks?(input: unknown): ToolQuestion;
  run(
    scope: Scope,
    input: unknown,
    signal: AbortSignal,
    reveal?: ToolSecrets['reveal'],
    call?: ToolCall,
  ): Promise<unknown>;
}

/** The run that tools are made for. */
export interface ToolContext {
  /** Anonymizes the texts that tools send to models. */
  anonymizer: Anonymizer;
  run_id: string;
  conversation_id: string;
  /** Null in a conversation without an agent. */
  agent_id: string | null;
  /** Resolves secrets in settings that a provider needs before any call, such as the headers of an MCP server. */
  secrets: ToolSecrets;
}

/** Makes the tools that the settings of an agent or a conversation ask for. */
export type ToolProvider = (scope: Scope, settings: Settings, context: ToolContext) => Promise<Tool[]>;
