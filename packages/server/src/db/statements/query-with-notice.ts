import pg from 'pg';

/** Of the driver's connection: what the steps of a query are sent with. */
interface Wire {
  execute(portal: { portal: string | undefined; rows: undefined }): void;
  flush(): void;
  sync(): void;
}

/** The driver's class, with the steps that its types leave out. */
type DriverQuery = new (
  text: string,
  values: unknown[],
) => pg.Query & {
  portal: string | undefined;
  _result: { rows: unknown[] };
  /** A row could not be read. */
  _canceledDueToError: unknown;
  handleCommandComplete(message: unknown, wire: Wire): void;
};

const DriverQuery = pg.Query as unknown as DriverQuery;

/**
 * A statement that passes on its rows when it is executed and not committed. The commit can still fail, as on a full disk. The
 * server is asked, in the message with the statement, to send the rows before it commits.
 */
export class QueryWithNotice extends DriverQuery {
  readonly #onExecuted: (rows: unknown[]) => void;

  constructor(text: string, values: unknown[], onExecuted: (rows: unknown[]) => void) {
    super(text, values);
    this.#onExecuted = onExecuted;
  }

  /** The last step of sending, in place of the driver's. */
  _getRows(wire: Wire): void {
    wire.execute({ portal: this.portal, rows: undefined });
    wire.flush();
    wire.sync();
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    super.handleCommandComplete(message, wire);
    if (this._canceledDueToError) return;
    try {
      this.#onExecuted(this._result.rows);
    } catch {
      // An error here would reach the connection; the statement itself says how it ends.
    }
  }
}
