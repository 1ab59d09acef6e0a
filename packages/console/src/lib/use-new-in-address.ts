import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Opens the dialog that makes something when the address ends in `#new`, as it does after a command of the palette. */
export function useNewInAddress(open: () => void): void {
  const isAsked = useLocation({ select: ({ hash }) => hash === 'new' });
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address asks for it, and once.
  useEffect(() => {
    if (!isAsked) return;
    open();
    void navigate({ to: '.', search: true, hash: '', replace: true } as never);
  }, [isAsked]);
}
