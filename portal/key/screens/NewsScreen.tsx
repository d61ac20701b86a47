import { IconNews } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { portals } from '#contract/key-portal/portal.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { usePaged } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { Answer } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Pager } from '../ui/Pager.tsx'
import { PostRow } from '../ui/PostRow.tsx'
import { Card, Empty } from '../ui/parts.tsx'

const size = 20

export function NewsScreen() {
  const { t, i18n } = useTranslation('key-app')
  const [page, setPage] = useState(1)
  const posts = usePaged(portals.listPortalBlogPosts, {
    params: { portalSlug: slug },
    query: { page, size, language: i18n.language as Language },
  })
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
