import { useReducer } from 'react';
import { areaOf, type Place } from './grid-types.ts';

interface State {
  active: Place;
  /** The other corner of the chosen cells. */
  anchor: Place;
  /** The active cell is being edited; `text`: what was typed to begin with. */
  editing: { text?: string } | undefined;
}
type SelectionAction =
  | { do: 'go'; to: Place; extend?: boolean | undefined }
  | { do: 'choose'; from: Place; to: Place }
  | { do: 'edit'; text?: string }
  | { do: 'leave' };

function reduce(state: State, action: SelectionAction): State {
  if (action.do === 'go')
    return { active: action.to, anchor: action.extend ? state.anchor : action.to, editing: undefined };
  if (action.do === 'choose') return { active: action.from, anchor: action.to, editing: undefined };
  if (action.do === 'leave') return { ...state, editing: undefined };
  return {
    ...{ active: state.active, anchor: state.active },
    editing: action.text === undefined ? {} : { text: action.text },
  };
}

/** The active cell of a grid, the chosen area, and whether the cell is edited. */
export function useSelection(first: Place, rows: number, columns: number) {
  const [state, act] = useReducer(reduce, { active: first, anchor: first, editing: undefined });
  const within = ({ row, column }: Place): Place => ({
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  });
  const [active, anchor] = [within(state.active), within(state.anchor)];
  return { active, area: areaOf(active, anchor), editing: state.editing, act, within };
}
export type Selection = ReturnType<typeof useSelection>;
