import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';

/** The address of a server. `http`: an address from settings; `program`: an entry of the operator's file. */
export type McpTarget =
  | {
      kind: 'http';
      url: string;
      headers: Readonly<Record<string, string>>;
      /** The only hosts that may be reached; none: any. */
      hosts?: readonly string[];
      /**
       * Returns the token to send, if there is one; called before each request. `refused` is a token that the server
       * rejected.
       */
      token?(refused?: string): Promise<string | undefined>;
    }
  | { kind: 'program'; command: string; args: readonly string[]; env: Readonly<Record<string, string>> };

/** A tool as its server describes it. None of it is trusted. */
export interface McpTool {
  name: string;
  description: string;
  input_schema: JsonSchema;
  output_schema: JsonSchema | null;
}

/** The result of a call; `content` holds parts of the protocol. */
export interface McpResult {
  content: unknown[];
  structured: Record<string, unknown> | null;
  is_error: boolean;
}

export interface McpConnection {
  /** Lists all tools now. */
  list(signal: AbortSignal): Promise<McpTool[]>;
  call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpResult>;
  /** Never rejects; resolves when the connection is over, from either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface Mcp {
  /** `onChange` is called when the list of tools may have changed. */
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

/** What went wrong with a server, in words for its users. They contain no address and nothing that was sent. */
export class McpServerError extends Error {
  readonly code: McpServerErrorCode;

  constructor(code: McpServerErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
