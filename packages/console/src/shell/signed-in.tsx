import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSignedOut } from '../api/signed-out.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useApplyPreferences } from '../lib/preferences.ts';

const SignedOutLayer = lazyPart(() =>
  import('./signed-out-layer.tsx').then((file) => ({ default: file.SignedOutLayer })),
);

/** Every page that needs a session. When it ends the page stays as it is, with sign-in over it. */
export function SignedIn() {
  useApplyPreferences();
  const ended = useSignedOut(({ ended }) => ended);
  return (
    <>
      <Outlet />
      {ended && (
        <Suspense>
          <SignedOutLayer />
        </Suspense>
      )}
    </>
  );
}
