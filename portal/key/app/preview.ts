import type { Portal, PortalContacts, PreviewBlogPost } from '#contract/key-portal/portal.ts'
import { portals } from '#contract/key-portal/portal.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { blogTextFor } from '#domain/key-portal/blog-language.ts'

/* Within the staff's preview alone; customers do not load this. */

/**
 * What the staff's preview sends to the app in its frame, as `{ keyPreview }`, at first when the app has posted `{ keyReady: true }`, and after
 * each change: the portal as it would be published. Addresses of pictures may be those of blobs.
 */
export interface KeyPreview {
  portal: Portal
  contacts: Partial<Record<Language, string>>
  privacy: Partial<Record<Language, string>>
  posts: readonly PreviewBlogPost[]
}

let current: KeyPreview | undefined
let arrive: () => void = () => undefined
const arrived = new Promise<void>((resolve) => {
  arrive = resolve
})

/** Listens to the page around the frame, if it is of the same origin. */
export function followPreview(onChange: () => void): void {
  window.addEventListener('message', ({ origin, source, data }: MessageEvent<{ keyPreview?: KeyPreview }>) => {
    if (origin !== window.location.origin || source !== window.parent || !data?.keyPreview) return
    current = data.keyPreview
    arrive()
    onChange()
  })
  window.parent.postMessage({ keyReady: true }, window.location.origin)
}

function textIn(texts: Partial<Record<Language, string>>, preferred: Language) {
  const language = [preferred, 'en' as const, 'it' as const].find((one) => texts[one]) ?? 'en'
  return { language, html: texts[language] ?? '' }
}

/** The answer of a public call; undefined for a call that a preview sends to the server. */
export function previewOf(path: string, query: unknown): Promise<unknown> | undefined {
  const { language = 'en' } = (query ?? {}) as { language?: Language }
  const answers: Record<string, (preview: KeyPreview) => unknown> = {
    [portals.getPortal.path]: ({ portal }) => portal,
    [portals.getPortalContacts.path]: ({ portal: { website, phone, email }, contacts }): PortalContacts => ({
      ...textIn(contacts, language),
      website,
      phone,
      email,
    }),
    [portals.getPortalPrivacy.path]: ({ privacy }) => textIn(privacy, language),
    [portals.listPortalBlogPosts.path]: ({ posts }) => ({
      items: posts.map((post) => ({
        ...post,
        title: blogTextFor(post.title, language),
        excerpt: blogTextFor(post.excerpt, language),
      })),
      total: posts.length,
      capped: false,
    }),
  }
  const answer = answers[path]
  return answer && arrived.then(() => answer(current as KeyPreview))
}
