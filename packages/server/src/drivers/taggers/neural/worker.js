import { enableCompileCache, flushCompileCache } from 'node:module';

// Plain JavaScript, and before anything else is imported: a thread does not take its parent's cache over, and to strip a
// single file of its types it would load a compiler, which takes longer and more memory than the model does.
enableCompileCache();
await import('./serve.ts');
// A thread is ended without being asked; what it has learnt is kept for the next one now.
flushCompileCache();
