// The pages work without this; it adds the saved look, showing a password, copying codes, and forms that go by themselves or only once.
;(() => {
  const root = document.documentElement
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const paint = () => {
    let scheme
    try {
      scheme = localStorage.getItem('gettone.scheme')
    } catch {
      // A browser that keeps nothing follows the system.
    }
    const isDark = scheme === 'dark' || (scheme !== 'light' && dark.matches)
    root.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  }
  paint()
  dark.addEventListener('change', paint)

  // The portal's files load while the user types; by then this page has all of its own.
  let isLoading = false
  const loadNext = () => {
    if (isLoading) return
    isLoading = true
    for (const href of document.body.dataset.next?.split(' ') ?? []) {
      const link = document.createElement('link')
      const kind = href.slice(href.lastIndexOf('.') + 1)
      link.rel = kind === 'js' ? 'modulepreload' : 'preload'
      if (kind === 'css') link.as = 'style'
      if (kind === 'woff2') Object.assign(link, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
      link.fetchPriority = 'low'
      link.href = href
      document.head.append(link)
    }
  }

  document.addEventListener('DOMContentLoaded', () => {
    for (const button of document.querySelectorAll('.reveal')) {
      const input = document.getElementById(button.getAttribute('aria-controls'))
      button.hidden = false
      button.addEventListener('click', () => {
        const isShown = input.type === 'text'
        input.type = isShown ? 'password' : 'text'
        button.textContent = isShown ? button.dataset.show : button.dataset.hide
        input.focus()
      })
    }
    for (const button of document.querySelectorAll('[data-copies]')) {
      if (!navigator.clipboard) continue
      button.hidden = false
      button.addEventListener('click', async () => {
        const lines = [...document.getElementById(button.dataset.copies).children].map((line) => line.textContent)
        await navigator.clipboard.writeText(lines.join('\n'))
        button.textContent = button.dataset.copied
      })
    }
    for (const form of document.forms) {
      form.addEventListener('submit', (event) => {
        if (form.dataset.sent) return event.preventDefault()
        form.dataset.sent = 'yes'
        event.submitter?.setAttribute('aria-busy', 'true')
      })
    }
    // Coming back with the browser's button shows the page as it was left; it may be sent again then.
    window.addEventListener('pageshow', () => {
      for (const form of document.forms) delete form.dataset.sent
      for (const busy of document.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy')
    })
    document.querySelector('form[data-submit]')?.requestSubmit()
    for (const kind of ['input', 'keydown']) document.addEventListener(kind, loadNext, { once: true, capture: true })
  })
})()
