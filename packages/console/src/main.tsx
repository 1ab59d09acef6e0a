import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { takeFragmentTokens } from './lib/fragment-tokens.ts';
import { listenForShortcuts } from './lib/shortcuts.ts';
import { router } from './router.tsx';
import { ToastRegion } from './ui/toast.tsx';

// Dialogs add a style while they are open; the content policy takes it with this word only.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

takeFragmentTokens();
listenForShortcuts();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>,
);
