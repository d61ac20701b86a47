/* oxlint-disable react/iframe-missing-sandbox -- the frame shows our own app, which needs its origin and scripts */
import { Box } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PortalPreview } from '#contract/key-portal/portal-settings.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { blogTextFor } from '#domain/key-portal/blog-language.ts'
import { darkPage, lightPage } from '#domain/key-portal/colours.ts'
import classes from '../KeyPortal.module.css'

/** What the app shows in place of the published portal. */
export type ShownPortal = Pick<PortalPreview, 'portal' | 'contacts' | 'privacy' | 'posts'>

/**
 * The customers' app in a frame, with settings that are not published. The app asks for them when it is ready; before that, a sketch has
 * their header and posts.
 */
export function KeyFrame({ preview, title }: { preview: ShownPortal; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  // Settings that were never saved may have no address yet; the frame shows them at any.
  const slug = preview.portal.slug || 'preview'
  useEffect(() => {
    const send = () => frame.current?.contentWindow?.postMessage({ keyPreview: preview }, window.location.origin)
    const answer = ({ origin, source, data }: MessageEvent<{ keyReady?: boolean }>) => {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow || !data?.keyReady) return
      setReady(true)
      send()
    }
    window.addEventListener('message', answer)
    send()
    return () => window.removeEventListener('message', answer)
  }, [preview])
  return (
    <Box pos="relative" h="100%" className={classes.stage}>
      {!isReady && <Sketch preview={preview} />}
      <iframe
        ref={frame}
        className={classes.frame}
        style={{ visibility: isReady ? 'visible' : 'hidden' }}
        src={`/key/${slug}?preview`}
        title={title}
      />
    </Box>
  )
}

/** The portal's header and posts in its colors. */
function Sketch({ preview: { portal, posts } }: { preview: ShownPortal }) {
  const { name, colours, theme, appLogo, logo } = portal
  const language = useTranslation().i18n.language as Language
  const isDark = theme === 1
  const picture = appLogo ?? logo
  return (
    <div
      className={classes.sketch}
      style={{ background: isDark ? darkPage : lightPage, color: isDark ? lightPage : darkPage }}
    >
      <header style={{ background: colours.brand, color: colours.onBrand }}>{name}</header>
      {picture && <img src={picture.url} alt="" />}
      {posts.map(({ slug, title, excerpt }) => (
        <Box component="article" px="lg" key={slug}>
          <strong style={{ color: isDark ? colours.onDark : colours.onLight }}>{blogTextFor(title, language)}</strong>
          <p>{blogTextFor(excerpt, language)}</p>
        </Box>
      ))}
    </div>
  )
}
