import type { ToolDisplay } from '../ports.ts';
import type { UiChunk } from './chunk-types.ts';

/** Everything that a discarded attempt takes back. Plain data: the beginning of each step is kept as a copy. */
interface PartState {
  open: { type: 'text' | 'reasoning'; id: string } | null;
  /** Text and reasoning parts so far, for their ids. */
  said: number;
  group: { id: string; parts: number } | null;
  groups: number;
  calls: Map<string, ToolDisplay>;
  /** The calls that people have refused. */
  denied: Set<string>;
  sources: number;
  urls: Set<string>;
  images: Set<string>;
  footnotes: UiChunk[];
}

export const newPartState = (): PartState => ({
  open: null,
  said: 0,
  group: null,
  groups: 0,
  calls: new Map(),
  denied: new Set(),
  sources: 0,
  urls: new Set(),
  images: new Set(),
  footnotes: [],
});

/** What is never changed in place, such as a chunk, is shared with the copy. */
export const copyPartState = (state: PartState): PartState => ({
  ...state,
  open: state.open && { ...state.open },
  group: state.group && { ...state.group },
  calls: new Map(state.calls),
  denied: new Set(state.denied),
  urls: new Set(state.urls),
  images: new Set(state.images),
  footnotes: [...state.footnotes],
});
