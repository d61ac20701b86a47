import '@fontsource-variable/inter/wght.css'
import '../app/theme/tokens.css'
import './styles/frame.css'
import './styles/parts.css'
import './styles/forms.css'
import './styles/screens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { showScheme } from './app/look.ts'
import { home, isPreview } from './app/place.ts'
import { queryClient } from './app/queryClient.ts'
import { pageOfScanned } from './app/scanned.ts'
import { startSession } from './app/session.ts'
import { startWords } from './app/words.ts'
import { KeyApp } from './KeyApp.tsx'
import { Boundary } from './ui/Boundary.tsx'

showScheme()
// The installed app begins at this address.
if (window.location.pathname === home)
  window.history.replaceState(null, '', `${home}/${window.location.search}${window.location.hash}`)

/** An installed app names its merchant, its color and its icons. */
function nameMerchant() {
  const link = (rel: string, href: string) =>
    document.head.append(Object.assign(document.createElement('link'), { rel, href }))
  link('manifest', `${home}/manifest.webmanifest`)
  // Until here the page has an empty one, so that browsers ask for no other.
  document.querySelector('link[rel="icon"]')?.setAttribute('href', `${home}/icon-192.png`)
  link('apple-touch-icon', `${home}/icon-180.png`)
}

async function start() {
  await Promise.all([startWords(), startSession()])
  if (isPreview) {
    const { followPreview } = await import('./app/preview.ts')
    followPreview(() => void queryClient.invalidateQueries())
  }
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Boundary>
          <KeyApp />
        </Boundary>
      </QueryClientProvider>
    </StrictMode>,
  )
  if (isPreview) return
  nameMerchant()
  // Not needed by the first picture; without a connection it comes from the device like the rest.
  void import('./app/updates.ts').then(({ followUpdates }) => followUpdates()).catch(() => undefined)
}

// A part of an older version that the server has replaced.
window.addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('key.reloadedAt') ?? 0)
  if (!navigator.onLine || Date.now() - last < 60_000) return
  sessionStorage.setItem('key.reloadedAt', String(Date.now()))
  window.location.reload()
})

const elsewhere = pageOfScanned(window.location)
if (elsewhere) window.location.replace(elsewhere)
else void start()
