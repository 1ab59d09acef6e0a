export const columnTypes = [
  'text',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'json',
  'uuid',
  'reference',
] as const;
export type ColumnType = (typeof columnTypes)[number];

export const idTypes = ['uuid', 'autoincrement'] as const;
export type IdType = (typeof idTypes)[number];

/** What a column holds once a reference has been followed to the id it refers to. */
export type ValueType = Exclude<ColumnType, 'reference'>;

export const idValueType = (id_type: IdType): ValueType => (id_type === 'uuid' ? 'uuid' : 'integer');
