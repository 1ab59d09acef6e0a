import { createContext, useContext } from 'react';
import type { Base } from '../queries.ts';

export const BaseContext = createContext<Base | undefined>(undefined);

/** The knowledge base of the address. Only below its frame. */
export function useBase(): Base {
  const base = useContext(BaseContext);
  if (!base) throw new Error('There is no knowledge base here');
  return base;
}
