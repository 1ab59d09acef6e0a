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
   * The value with every handle in it replaced by what it stands for, for a request to `to` and no other. Throws what may
   * be told to the model.
   */
  reveal<T>(value: T, to: SecretDestination): Promise<T>;
  /** The value with whatever has been revealed replaced by its handle again. */
  scrub<T>(value: T): T;
}

/** One call of a tool, for those that need to know which it is or have to tell what came of it. */
export interface ToolCall {
  id: string;
  /** What a run that it starts is to be called, where whoever waits must know it beforehand. */
  run_id?: string;
  /** What the conversation has read before this call; whoever starts another run for it hands it on. */
  taint: readonly Taint[];
  /** It has cost this much, in US dollars. Counted into the usage of the run. */
  cost(usd: number): void;
  /** Its result brings this besides what the tool says of itself: for what only the call can know. */
  brings(...kinds: Taint[]): void;
  /** How far the run has come that the call has started, where whoever waits wants to know. */
  progress?(at: ToolProgress): void;
}

/** What a person is asked, and what users are told meanwhile. */
export interface ToolQuestion {
  question: string;
  message: string;
  /** Seconds after which nobody is waited for any more; null: for ever. */
  timeout: number | null;
}
/** Something an agent can do: described to the model by its schema, checked both ways. */
export interface Tool {
  tool: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  /** What of its output the reply rests on; shown as sources. */
  sources?(output: unknown): readonly ToolSource[];
  /** The files of its output; each becomes a part of the reply. */
  files?(output: unknown): readonly ToolFile[];
  /** Whether a call that may or may not have happened can be made again, as after a crash in the middle of it. */
  repeatable: boolean;
  /**
   * The tool is the last hop to this destination: handles in its input are filled in before it runs, and `reveal` does the
   * same with what it has from settings (headers, an address). Only for tools whose target the settings fix: where a model
   * chooses the target, it could have a secret sent anywhere.
   */
  reveals?: SecretDestination;
  /**
   * What its results bring into a run: `untrusted` words that anybody may have written (the web, uploaded files, other
   * servers), `private` data of the workspace. A run that has both needs a person before it sends anything out.
   */
  brings?: readonly Taint[];
  /** What this one result has brought, where that may be less than `brings`. */
  brought?(output: unknown): readonly Taint[];
  /** What it says of itself is written elsewhere, and untrusted words that every model reads to which it is offered. */
  foreign?: true;
  /** A call can carry what it is given out of the workspace; or whether a call with this input can. */
  sends?: true | ((input: unknown) => boolean);
  /** The entries of settings that it was made from, where its name does not tell: what they say of approvals holds. */
  entries?: readonly Readonly<Record<string, unknown>>[];
  /** What these entries stand for, where it can be changed apart from them: what a person agrees to holds for this. */
  pinned?: unknown;
  /** Whether a person has to agree to a call with this input before it is made. */
  needs_approval?(input: unknown): boolean;
  /** The call is work with limits of its own, such as another run: `tool_timeout` does not end it, the run's time does. */
  outlasts?: true;
  /** What whoever the run acts for must be allowed to, where `tool_grant_scope` is `user`. */
  permission?: Permission;
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
