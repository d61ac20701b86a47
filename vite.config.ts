import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { keyAppInDevelopment } from './scripts/key-app/dev.ts'
import { chunkGroups } from './scripts/portal/chunks.ts'
import { contractOfFirstScreen } from './scripts/portal/contract.ts'
import { interInPieces } from './scripts/portal/fonts.ts'
import { ownIconFiles } from './scripts/portal/icons.ts'
import { leanLibraries } from './scripts/portal/lean.ts'
import { shortPreloads } from './scripts/portal/preloads.ts'
import { wordsOfNouns } from './scripts/portal/words.ts'
import { worldInPieces } from './scripts/portal/world.ts'

/** Where the server listens while the portal is developed; `npm run dev` starts both. */
const server = `http://127.0.0.1:${process.env.PORT ?? '8080'}`

/** What the server answers itself; all else is the portal's. */
const serverPaths = ['/api', '/identity', '/mailbox', '/health', '/metrics', '/device/']

export default defineConfig({
  root: 'portal',
  plugins: [
    contractOfFirstScreen(),
    interInPieces(),
    ownIconFiles(),
    wordsOfNouns(),
    worldInPieces(),
    react(),
    leanLibraries(),
    shortPreloads(),
    keyAppInDevelopment(),
  ],
  build: {
    outDir: '../dist/portal',
    emptyOutDir: true,
    sourcemap: false,
    // The bundle budget reads the manifest.
    manifest: true,
    target: 'es2023',
    reportCompressedSize: false,
    // The map's and the charts' chunks are large by nature, and loaded only by the screens that show them.
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      output: {
        // The entry names every file that a screen may want, so names are short; the manifest says which is which.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: { groups: chunkGroups() },
      },
    },
  },
  server: {
    port: Number(process.env.PORTAL_PORT ?? 5173),
    strictPort: true,
    // The portal takes sources from beside its own folder: contract, domain, language.
    fs: { allow: ['..'] },
    // With the browser's own Host: sign-in works only on an origin that the server knows as its own.
    proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: server, changeOrigin: false }])),
  },
})
