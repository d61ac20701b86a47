declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

/** A command of Google's tag, which requires an `arguments` object and no array. */
function gtag(..._command: unknown[]) {
  window.dataLayer ??= []
  // oxlint-disable-next-line prefer-rest-params -- the tag recognises commands by `arguments`, not by an array
  window.dataLayer.push(arguments)
}

/**
 * Loads the tag, without cookies and without user data. The returned function reports a page view, by its name in the
 * table of screens.
 */
export function countPages(code: string): (page: string) => void {
  gtag('consent', 'default', {
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    analytics_storage: 'denied',
  })
  gtag('js', new Date())
  gtag('config', code, { send_page_view: false, allow_google_signals: false, page_location: '/', page_referrer: '' })
  const script = document.createElement('script')
  script.async = true
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(code)}`
  document.head.append(script)

  let lastPage: string | undefined
  return (page) => {
    if (page === lastPage) return
    lastPage = page
    const pageView = { page_location: window.location.origin + page, page_title: page, page_referrer: '' }
    gtag('set', pageView)
    gtag('event', 'page_view', pageView)
  }
}
