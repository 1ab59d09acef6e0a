import pg from 'pg';

/** A connection, or a pool of them. */
export type Connection = Pick<pg.PoolClient, 'query'>;

interface Statement {
  text: string;
  values: unknown[];
  /** Statements with a name are parsed and planned once per connection. */
  name: string | undefined;
  /** The driver's own limit is taken where this is undefined. */
  query_timeout?: number;
}

type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

/** As an object of the driver's class: it copies a description by the descriptors of its properties, which takes longer. */
function queryOf({ text, values, name, query_timeout }: Statement): pg.Query {
  return Object.assign(new pg.Query(text, values), { name }, query_timeout !== undefined && { query_timeout });
}

export const sendStatement = (connection: Connection, statement: Statement): Promise<pg.QueryResult> =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    const answered: Answered = (error, result) => (error ? reject(error) : resolve(result));
    // The driver takes a callback for its own class too; its types do not say so.
    const send = connection.query as (query: pg.Query, values: undefined, answered: Answered) => void;
    send.call(connection, queryOf(statement), undefined, answered);
  }).catch((error: Error) => {
    // With the place that sent the statement, in place of the socket's.
    Error.captureStackTrace(error);
    throw error;
  });
