/** A form as browsers and mail services send it, of either kind; undefined when it is none. */
export const readForm = (bytes: Buffer, type: string): Promise<FormData | undefined> =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData().catch(() => undefined);
