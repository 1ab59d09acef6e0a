import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

interface Progress {
  /** The model that the person chose, as settings name it. */
  model?: string | undefined;
  agent?: { id: string; name: string; hasSample: boolean } | undefined;
}

/** What the steps hand to each other. It survives a reload of the tab. */
export const useProgress = create<Progress>()(
  persist((): Progress => ({}), { name: 'atrium.first-start', storage: createJSONStorage(() => sessionStorage) }),
);
