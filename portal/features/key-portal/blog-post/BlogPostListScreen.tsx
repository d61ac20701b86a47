import { useTranslation } from 'react-i18next'
import {
  type BlogVisibility,
  blogPostColumns,
  blogPostOrds,
  blogPosts,
  type ListedBlogPost,
} from '#contract/key-portal/blog-post.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { type BlogText, blogTextFor } from '#domain/key-portal/blog-language.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { type Appearance, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const placeOf = ({ id }: ListedBlogPost) => ({ to: '/admin/blogposts/$blogPostId', params: { blogPostId: id } })

const looks = {
  0: { tone: 'mute', mark: 'ring', word: 'blog-post:visibility.0' },
  1: { tone: 'ok', mark: 'check', word: 'blog-post:visibility.1' },
} as const satisfies Record<BlogVisibility, Appearance>

/** A text of a post in the reader's language. */
function InLanguage({ text }: { text: BlogText }) {
  const { i18n } = useTranslation()
  return blogTextFor(text, i18n.language as Language)
}

const columns = recordColumns<ListedBlogPost>(blogPostColumns, blogPostOrds, {
  hidden: ['slug', 'updatedAt'],
  lines: ['excerpt'],
  looks: {
    title: { cell: ({ title }) => <InLanguage text={title} /> },
    excerpt: { cell: ({ excerpt }) => <InLanguage text={excerpt} /> },
    visibility: { card: 'badge', cell: ({ visibility }) => <StatusBadge of={looks} value={visibility} /> },
    createdAt: { card: 'line' },
  },
})
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('blog-post:filter.search') },
  anyOf('visibilities', t('blog-post:field.visibility'), [0, 1], (one) => t(`blog-post:visibility.${one}`)),
]

/** The blog of all customers' portals. */
export default function BlogPostListScreen() {
  const { t } = useTranslation('blog-post')
  return (
    <ListScreen
      id="blogPosts"
      words="blog-post"
      row={blogPosts.listBlogPosts}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'blogPost.write', does: { to: '/admin/blogposts/create' } }}
    />
  )
}
