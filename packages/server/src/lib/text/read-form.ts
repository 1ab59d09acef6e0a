/** Reads a form, multipart or URL-encoded; undefined when the bytes are no form, which is what a failure means. */
export const readForm = (bytes: Buffer, type: string): Promise<FormData | undefined> =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData().catch(() => undefined);
