// The identity provider answers here, in a frame or a small window; the page that opened it gets the address, as oidc-client-ts
// reads it. A window that was cut off from its opener reaches it over a channel.
;(() => {
  const message = { source: 'oidc-client', url: location.href, keepOpen: false }
  const opener = window.opener ?? (window.parent === window ? null : window.parent)
  if (opener) return opener.postMessage(message, location.origin)
  const state = new URL(location.href).searchParams.get('state')
  if (!state) return
  const channel = new BroadcastChannel(`oidc-client-popup-${state}`)
  channel.postMessage(message)
  channel.close()
  window.close()
})()
