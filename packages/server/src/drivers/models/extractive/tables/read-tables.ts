import type { ModelTool } from '../../driver.ts';

export interface KnownColumn {
  name: string;
  type: string;
  label: string | undefined;
}

/** A table that the agent has, as the description of its tool tells. */
export interface KnownTable {
  sql_name: string;
  name: string;
  about: string;
  columns: KnownColumn[];
}

const tableLine = /^- (\w+) \((.*); read(?: and write| only)\): (.*)$/gm;
const column =
  /(?:^|, )(\w+) (text|integer|number|boolean|date|datetime|json|uuid|reference)\b(?: \([^)]*\))?(?: "([^"]*)")?/g;

/** Reads the tables and their columns from the tools; none where the agent has no tool for SQL. */
export function tablesIn(tools: readonly Pick<ModelTool, 'name' | 'description'>[]): KnownTable[] {
  if (!tools.some(({ name }) => name === 'tables_sql')) return [];
  const { description = '' } = tools.find(({ name }) => name === 'tables_query') ?? {};
  return [...description.matchAll(tableLine)].map(([, sql_name = '', about = '', columns = '']) => ({
    sql_name,
    name: about.split(': ')[0] ?? sql_name,
    about,
    columns: [...columns.matchAll(column)].flatMap(([, name = '', type = '', label]) =>
      name === 'id' ? [] : [{ name, type, label }],
    ),
  }));
}
