import { create } from 'zustand';

interface SignedOut {
  /** Whether a request found that the session has ended. The page stays as it is, with sign-in over it. */
  ended: boolean;
  notice: () => void;
  clear: () => void;
}
export const useSignedOut = create<SignedOut>((set) => ({
  ended: false,
  notice: () => set({ ended: true }),
  clear: () => set({ ended: false }),
}));

/** Shows sign-in over the page. Resolves when the person is signed in again: the request that failed is then repeated. */
export function waitForSignIn(): Promise<boolean> {
  useSignedOut.getState().notice();
  return new Promise((resolve) => {
    const leave = useSignedOut.subscribe(({ ended }) => {
      if (ended) return;
      leave();
      resolve(true);
    });
  });
}
