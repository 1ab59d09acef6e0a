import type { Table } from '@atrium/contract/tables/schema.ts';
import { createContext, useContext } from 'react';
import { useMay } from '../../api/session.ts';
import { tableTexts } from '../../text/tables.ts';

export const TableContext = createContext<Table | undefined>(undefined);

/** The table of the address. */
export function useTable(): Table {
  const table = useContext(TableContext);
  if (!table) throw new Error('There is no table here');
  return table;
}

/** Why the person can't write to the table; false where they can. */
export function useWriteRefusal(): string | false {
  const may = useMay();
  const { source } = useTable();
  if (source === 'platform') return tableTexts.isPlatform;
  return !may('tables_edit') && tableTexts.needsEdit;
}
