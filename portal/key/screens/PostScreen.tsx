import { useTranslation } from 'react-i18next'
import { portals } from '#contract/key-portal/portal.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { useAnswer } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { Answer } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Prose } from '../ui/Prose.tsx'
import { useWhen } from '../ui/values.tsx'

export function PostScreen({ post }: { post: string }) {
  const { t, i18n } = useTranslation('key-app')
  const when = useWhen()
  const article = useAnswer(portals.getPortalBlogPost, {
    params: { portalSlug: slug, blogSlug: post },
    query: { language: i18n.language as Language },
  })
  return (
    <Page title={article.data?.title ?? t('news.title')} back="/news">
      <Answer answer={article}>
        {({ media, createdAt, html, language }) => (
          <article>
            <p className="hint">{when(createdAt)}</p>
            {media?.kind === 'picture' && (
              <img
                className="cover"
                src={media.url}
                alt=""
                width={media.width ?? undefined}
                height={media.height ?? undefined}
              />
            )}
            {media?.kind === 'video' && (
              // oxlint-disable-next-line jsx-a11y/media-has-caption -- the video is uploaded without captions
              <video className="cover" src={media.url} controls preload="metadata" />
            )}
            <Prose html={html} language={language} />
          </article>
        )}
      </Answer>
    </Page>
  )
}
