/** A failure with a message for users and a code that workflows can branch on. */
export class NodeFailure extends Error {
  readonly code: string;
  /** Whether another try may help: a timeout, a busy service. */
  readonly passing: boolean;

  constructor(code: string, message: string, options: { passing?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.passing = options.passing ?? true;
  }
}
