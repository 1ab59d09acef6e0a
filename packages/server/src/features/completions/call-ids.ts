/**
 * The id under which a client gets a call of one of its tools: it names the run, so that the next request can be joined
 * to what the agent did in it. Providers take ids of at most 40 characters.
 */
export const callId = (run_id: string, index: number) => `call_${run_id.replaceAll('-', '')}_${index + 1}`;

/** The run that such an id names; undefined for ids of another making. */
export function readCallId(id: string): string | undefined {
  const digits = /^call_([0-9a-f]{32})_\d{1,3}$/.exec(id)?.[1];
  return digits?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
