import { IconNews } from '@tabler/icons-react'
import type { PortalBlogPost } from '#contract/key-portal/portal.ts'
import { Row } from './parts.tsx'
import { useWhen } from './values.tsx'

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
      note={post.excerpt}
      when={when(post.createdAt)}
    />
  )
}
