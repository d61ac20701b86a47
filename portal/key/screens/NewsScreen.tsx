import { IconNews } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PortalBlogPost, portals } from '#contract/key-portal/portal.ts'
import { usePaged } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { Answer } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Card, Empty, Row } from '../ui/parts.tsx'
import { Pager } from '../ui/Pager.tsx'
import { useWhen } from '../ui/values.tsx'

const size = 20

export function NewsScreen() {
  const { t } = useTranslation('key-app')
  const [page, setPage] = useState(1)
  const posts = usePaged(portals.listPortalBlogPosts, { params: { portalSlug: slug }, query: { page, size } })
  return (
    <Page title={t('news.title')} isMain>
      <Answer answer={posts}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty icon={<IconNews aria-hidden />} title={t('news.none')} />
          ) : (
            <>
              <Card className="list">
                {items.map((post) => (
                  <PostRow key={post.slug} post={post} />
                ))}
              </Card>
              <Pager page={page} size={size} total={total} onPage={setPage} />
            </>
          )
        }
      </Answer>
    </Page>
  )
}

export function PostRow({ post }: { post: PortalBlogPost }) {
  const when = useWhen()
  return (
    <Row
      to={`/news/${post.slug}`}
      icon={
        post.media?.kind === 'picture' ? (
          <img src={post.media.url} alt="" loading="lazy" className="thumb" />
        ) : (
          <IconNews aria-hidden />
        )
      }
      title={post.title}
      note={
        <>
          {when(post.createdAt)} · {post.excerpt}
        </>
      }
    />
  )
}
