/** One message of a stream of server-sent events. */
export interface Frame {
  id: string | undefined;
  event: string;
  data: string;
}

/** The server sends a comment every 15 seconds, so a connection that is silent for longer is dead. */
const silence = 45_000;

/** The frames of a body as they arrive. A frame that breaks off is left out; a dead connection is an error. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      const dead = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('Connection lost')), silence);
      });
      const { done, value } = await Promise.race([reader.read(), dead]).finally(() => clearTimeout(timer));
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const frames = rest.split(/\r?\n\r?\n/);
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const fields: Record<string, string> = {};
        for (const line of frame.split(/\r?\n/)) {
          const [, name = '', text = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
          fields[name] = name === 'data' && name in fields ? `${fields[name]}\n${text}` : text;
        }
        const { data, id, event = 'message' } = fields;
        if (data !== undefined) yield { data, id, event };
      }
    }
  } finally {
    // Not awaited: a dead connection does not answer.
    reader.cancel().catch(() => {});
  }
}
