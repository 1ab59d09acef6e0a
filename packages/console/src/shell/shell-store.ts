import { create } from 'zustand';

type Overlay = 'palette' | 'shortcuts' | 'notifications';
interface Shell {
  /** The sidebar shows icons only. The browser remembers it. */
  folded: boolean;
  overlay: Overlay | undefined;
  open: (overlay: Overlay) => void;
  close: () => void;
  fold: () => void;
}

const key = 'atrium.sidebar';
function readFolded(): boolean {
  try {
    return localStorage.getItem(key) === 'folded';
  } catch {
    return false;
  }
}
function keepFolded(folded: boolean): void {
  try {
    localStorage.setItem(key, folded ? 'folded' : 'open');
  } catch {
    // The browser keeps nothing; the sidebar is open at the next visit.
  }
}

export const useShell = create<Shell>((set) => ({
  folded: readFolded(),
  overlay: undefined,
  open: (overlay) => set({ overlay }),
  close: () => set({ overlay: undefined }),
  fold: () =>
    set(({ folded }) => {
      keepFolded(!folded);
      return { folded: !folded };
    }),
}));
