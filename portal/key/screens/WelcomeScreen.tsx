import { IconChevronRight, IconKey, IconQrcode, IconReceipt2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { portals } from '#contract/key-portal/portal.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { useAnswer } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { usePortal } from '../app/usePortal.ts'
import { Brand } from '../ui/Brand.tsx'
import { useTitle } from '../ui/Page.tsx'
import { PostRow } from '../ui/PostRow.tsx'
import { ButtonLink, Card, Row } from '../ui/parts.tsx'

/** What a visitor sees first: whose app it is, what it does, and how to begin. */
export function WelcomeScreen() {
  const { t, i18n } = useTranslation('key-app')
  const portal = usePortal().data
  const posts = useAnswer(portals.listPortalBlogPosts, {
    params: { portalSlug: slug },
    query: { size: 3, language: i18n.language as Language },
  })
  useTitle(portal?.name ?? '')
  if (!portal) return null
  const { media } = portal.services
  return (
    <div className="page welcome">
      <section className="hero">
        <Brand portal={portal} isLarge />
        <h1>{portal.name}</h1>
        <p>{media ? t('welcome.text') : t('welcome.textWithoutMedia')}</p>
        {media && (
          <div className="acts">
            <ButtonLink to="/sign-up">{t('welcome.signUp')}</ButtonLink>
            <ButtonLink to="/sign-in" look="outline">
              {t('welcome.signIn')}
            </ButtonLink>
          </div>
        )}
      </section>
      {media && (
        <Card className="list">
          <Row icon={<IconKey aria-hidden />} title={t('welcome.key')} note={t('welcome.keyNote')} />
          <Row icon={<IconQrcode aria-hidden />} title={t('welcome.pay')} note={t('welcome.payNote')} />
          <Row icon={<IconReceipt2 aria-hidden />} title={t('welcome.claim')} note={t('welcome.claimNote')} />
        </Card>
      )}
      <Card className="list">
        <Row
          to="/pay"
          icon={<IconQrcode aria-hidden />}
          title={t('welcome.machine')}
          note={t('welcome.machineNote')}
          end={<IconChevronRight aria-hidden />}
        />
      </Card>
      {posts.data && posts.data.items.length > 0 && (
        <section>
          <h2>{t('news.title')}</h2>
          <Card className="list">
            {posts.data.items.map((post) => (
              <PostRow key={post.slug} post={post} />
            ))}
          </Card>
        </section>
      )}
    </div>
  )
}
