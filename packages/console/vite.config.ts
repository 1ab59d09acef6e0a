import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that `npm run dev` starts beside this one. */
const server = process.env['ATRIUM_DEV_SERVER'] ?? 'http://127.0.0.1:8080';
const served = ['/v1', '/docs', '/chat', '/embed', '/mcp', '/health', '/ready'];

/**
 * Small parts that the chat shares with other pages: as one file they are less to load than as twenty. The build says what
 * the chat loads before it works (scripts/check-sizes.ts).
 */
const icons = [
  ...['arrow-down', 'arrow-up', 'chevron-down', 'chevron-left', 'circle-check', 'copy', 'download', 'hand', 'mail'],
  ...['pencil', 'pin', 'plus', 'rotate-cw', 'square', 'trash', 'user-round'],
];
const ofTheChat = new RegExp(
  `lucide-react/dist/esm/icons/(?:${icons.join('|')})\\.|/console/src/ui/(?:banner|chip|popover)\\.tsx$`,
);

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
    rolldownOptions: {
      input: ['index.html', 'chat.html'].map((page) => join(import.meta.dirname, page)),
      // The first file lists the names of all others: without words in them it is shorter.
      output: { chunkFileNames: 'assets/[hash].js', codeSplitting: { groups: [{ name: 'first', test: ofTheChat }] } },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: server, ws: true }])) },
});
