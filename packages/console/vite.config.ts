import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that `npm run dev` starts beside this one. */
const server = process.env['ATRIUM_DEV_SERVER'] ?? 'http://127.0.0.1:8080';
const served = ['/v1', '/docs', '/chat', '/embed', '/mcp', '/health', '/ready'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    // Fonts and pictures stay files: the content policy allows no data in style sheets but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    manifest: true,
    // The console, and the page of channels for visitors, made of the same components.
    rolldownOptions: { input: ['index.html', 'chat.html'].map((page) => join(import.meta.dirname, page)) },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: server, ws: true }])) },
});
