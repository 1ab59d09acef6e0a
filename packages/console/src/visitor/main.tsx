import '../styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.ts';
import { ToastRegion } from '../ui/toast.tsx';
import { applyAccent } from './accent.ts';
import { readConfig } from './config.ts';
import { joinFrame } from './frame.ts';
import { NoChat, VisitorPage } from './visitor-page.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

const config = readConfig();
applyAccent(config?.accent ?? null);
joinFrame();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      {config ? <VisitorPage config={config} /> : <NoChat />}
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>,
);
