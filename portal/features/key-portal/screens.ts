import { IconDeviceMobile, IconMessageReport, IconNews, IconPalette } from '@tabler/icons-react'
import { part, type Screen } from '#portal/app/screen.ts'

export const keyPortalScreens: readonly Screen[] = [
  {
    path: '/customers-medias/claims',
    needs: 'refund.read',
    feature: 'customerMedia',
    load: () => import('#portal/features/key-portal/claim/ClaimListScreen.tsx'),
    label: 'claims',
    words: ['claim', 'list'],
    menu: { icon: IconMessageReport, key: 'j' },
  },
  {
    path: '/customers-medias/claims/$claimId',
    needs: 'refund.read',
    feature: 'customerMedia',
    load: () => import('#portal/features/key-portal/claim/ClaimScreen.tsx'),
    label: 'claim',
    words: ['claim', 'machine-event', 'form', 'errors'],
    parent: '/customers-medias/claims',
  },
  {
    path: '/manage/cogeskey-portal',
    needs: 'portalSettings.read',
    load: () => import('#portal/features/key-portal/portal-settings/PortalSettingsScreen.tsx'),
    label: 'portalSettings',
    words: ['portal-settings', 'form', 'editing', 'errors'],
    menu: { icon: IconPalette },
  },
  {
    path: '/cogeskey/preview',
    needs: 'portalPreview.read',
    load: () => import('#portal/features/key-portal/portal-settings/PortalPreviewScreen.tsx'),
    label: 'portalPreview',
    words: ['portal-settings', 'errors'],
    menu: { icon: IconDeviceMobile },
  },
  {
    path: '/admin/blogposts',
    needs: 'blogPost.read',
    load: () => import('#portal/features/key-portal/blog-post/BlogPostListScreen.tsx'),
    label: 'blogPosts',
    words: ['blog-post', 'list'],
    menu: { icon: IconNews },
  },
  {
    path: '/admin/blogposts/create',
    needs: 'blogPost.write',
    load: async () => part(await import('#portal/features/key-portal/blog-post/blogPostRecord.tsx'), 'Create'),
    label: 'newBlogPost',
    words: ['blog-post', 'form', 'errors'],
    parent: '/admin/blogposts',
  },
  {
    path: '/admin/blogposts/$blogPostId',
    needs: 'blogPost.read',
    load: () => import('#portal/features/key-portal/blog-post/BlogPostScreen.tsx'),
    label: 'blogPost',
    words: ['blog-post', 'editing', 'form', 'errors'],
    parent: '/admin/blogposts',
  },
]
