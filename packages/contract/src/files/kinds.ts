/** Kinds of files that lists filter by; the database derives them from the media type, or the ending of a name. */
export const fileKinds = [
  'image',
  'audio',
  'video',
  'pdf',
  'document',
  'spreadsheet',
  'presentation',
  'text',
  'other',
] as const;
export type FileKind = (typeof fileKinds)[number];
