import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';

/** Where a server is. `http` is an address that settings name; `program` is one of the operator's own file. */
export type McpTarget =
  | {
      kind: 'http';
      url: string;
      headers: Readonly<Record<string, string>>;
      /** The token to show, where it has one; asked before each request; another than one that was refused. */
      token?(refused?: string): Promise<string | undefined>;
    }
  | { kind: 'program'; command: string; args: readonly string[]; env: Readonly<Record<string, string>> };

/** A tool as its server describes it. None of it is to be trusted. */
export interface McpTool {
  name: string;
  description: string;
  input_schema: JsonSchema;
  output_schema: JsonSchema | null;
}

/** What a server made of a call; `content` holds parts as the protocol has them. */
export interface McpResult {
  content: unknown[];
  structured: Record<string, unknown> | null;
  is_error: boolean;
}

export interface McpConnection {
  /** All of them, asked for now. */
  list(signal: AbortSignal): Promise<McpTool[]>;
  call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpResult>;
  /** Rejects with nothing; resolves when it is over, whoever ended it. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface Mcp {
  /** `onChange` is told that the list of tools may be another now. */
  connect(target: McpTarget, signal: AbortSignal, onChange: () => void): Promise<McpConnection>;
}

export type McpServerErrorCode =
  | 'unreachable'
  | 'unauthorized'
  | 'timeout'
  | 'too_large'
  | 'bad_answer'
  | 'closed'
  | 'session_lost'
  | 'refused';

/** What went wrong with a server, in words for whoever uses it. They hold no address and nothing it was sent. */
export class McpServerError extends Error {
  readonly code: McpServerErrorCode;

  constructor(code: McpServerErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
