// Sets the saved look before the first paint, so that nobody in the dark sees a white flash.
;(() => {
  const root = document.documentElement
  const saved = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const scheme = saved('gettone.scheme')
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  root.dataset.density = saved('gettone.density') === 'comfortable' ? 'comfortable' : 'dense'
  const language = saved('gettone.language')
  if (language && /^[a-z]{2}$/.test(language)) root.lang = language
})()
