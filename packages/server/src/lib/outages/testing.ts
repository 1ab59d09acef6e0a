import { noteOutages } from './database-outages.ts';

/** The error of a statement whose connection was broken. */
export async function makeOutage(): Promise<Error> {
  const outage = new Error('Connection terminated unexpectedly');
  await noteOutages(Promise.reject(outage)).catch(() => {});
  return outage;
}
