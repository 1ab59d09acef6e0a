/** One message of an event stream. `data` is JSON on one line, or a bare word. */
export interface Frame {
  event?: string;
  data: string;
  id?: string;
}

export const frameText = ({ event, data, id }: Frame) =>
  `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
