import { useEffect, useRef } from 'react'
import type { PortalPreview } from '#contract/key-portal/portal-settings.ts'
import classes from '../KeyPortal.module.css'

/** What the app shows in place of the published portal. */
export type ShownPortal = Pick<PortalPreview, 'portal' | 'contacts' | 'privacy' | 'posts'>

/** The customers' app in a frame, with settings that are not published. The app asks for them when it is ready. */
export function KeyFrame({ shown, title }: { shown: ShownPortal; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { slug } = shown.portal
  useEffect(() => {
    const send = () => frame.current?.contentWindow?.postMessage({ keyPreview: shown }, window.location.origin)
    const answer = ({ origin, source, data }: MessageEvent<{ keyReady?: boolean }>) => {
      if (origin === window.location.origin && source === frame.current?.contentWindow && data?.keyReady) send()
    }
    window.addEventListener('message', answer)
    send()
    return () => window.removeEventListener('message', answer)
  }, [shown])
  return <iframe ref={frame} className={classes.frame} src={`/key/${slug || 'preview'}?preview`} title={title} />
}
