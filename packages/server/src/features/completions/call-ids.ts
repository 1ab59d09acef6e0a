/**
 * The id of a call that is sent to the client. It contains the run id, so that the next request finds the run. Providers
 * accept ids of at most 40 characters.
 */
export const callId = (run_id: string, index: number) => `call_${run_id.replaceAll('-', '')}_${index + 1}`;

/** The run id in such a call id; undefined for other ids. */
export function readCallId(id: string): string | undefined {
  const digits = /^call_([0-9a-f]{32})_\d{1,3}$/.exec(id)?.[1];
  return digits?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
