import { lazy, Suspense } from 'react'
import { ToastStack } from '../../ui/toast.tsx'
import type { OverlayName } from './useShortcuts.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const Shortcuts = lazy(() => import('./Shortcuts.tsx'))

/** What lies above the page: toasts, the command palette, the list of shortcuts. */
export default function Overlays({ shown, close }: { shown: OverlayName | undefined; close: () => void }) {
  return (
    <>
      <ToastStack />
      <Suspense>
        {shown === 'palette' && <Palette close={close} />}
        {shown === 'shortcuts' && <Shortcuts close={close} />}
      </Suspense>
    </>
  )
}
