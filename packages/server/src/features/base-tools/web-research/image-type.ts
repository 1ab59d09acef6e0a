/** The media type of a picture by the end of its address; browsers look at the bytes anyway. */
export function imageTypeOf(url: string): string {
  const end = /\.(avif|gif|jpe?g|png|svg|webp)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  if (end === 'svg') return 'image/svg+xml';
  return `image/${end === undefined || end === 'jpg' ? 'jpeg' : end}`;
}
