import { useTranslation } from 'react-i18next'
import { blogPosts } from '#contract/key-portal/blog-post.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { blogTextFor } from '#domain/key-portal/blog-language.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { Details } from './blogPostRecord.tsx'

/** A blog post with its editor. */
export default function BlogPostScreen() {
  const { t, i18n } = useTranslation('blog-post')
  return (
    <RecordPage
      get={blogPosts.getBlogPost}
      param="blogPostId"
      words="blog-post"
      nameOf={({ title }) => blogTextFor(title, i18n.language as Language)}
      remove={blogPosts.deleteBlogPost}
      list="/admin/blogposts"
      subtitle={({ visibility, slug }) => [t(`visibility.${visibility}`), slug]}
    >
      <Details />
    </RecordPage>
  )
}
