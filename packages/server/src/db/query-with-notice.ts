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
  handleCommandComplete(message: unknown, wire: Wire): void;
};

const DriverQuery = pg.Query as unknown as DriverQuery;

/**
 * A statement that tells of its rows when it is done and not committed yet: nothing but the end of the server or of the
 * connection can undo it then. The server is asked to send them before it commits, in the same message.
 */
export class QueryWithNotice extends DriverQuery {
  readonly #executed: (rows: unknown[]) => void;

  constructor(text: string, values: unknown[], executed: (rows: unknown[]) => void) {
    super(text, values);
    this.#executed = executed;
  }

  /** The last step of sending, in place of the driver's. */
  _getRows(wire: Wire): void {
    wire.execute({ portal: this.portal, rows: undefined });
    wire.flush();
    wire.sync();
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    super.handleCommandComplete(message, wire);
    this.#executed(this._result.rows);
  }
}
