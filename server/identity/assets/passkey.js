// Forms that carry a passkey: shown where the browser has passkeys, and sent with what its authenticator answers.
document.addEventListener('DOMContentLoaded', () => {
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    if (!browserSupportsWebAuthn()) continue
    form.hidden = false
    for (const beside of document.querySelectorAll('.with-passkey')) beside.hidden = false
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      const wrong = form.querySelector('.wrong')
      wrong.hidden = true
      const optionsJSON = JSON.parse(form.dataset.passkey)
      try {
        const answer = await (form.dataset.makes
          ? startRegistration({ optionsJSON })
          : startAuthentication({ optionsJSON }))
        form.elements.passkey.value = JSON.stringify(answer)
        form.submit()
      } catch {
        wrong.hidden = false
        delete form.dataset.sent
        for (const busy of form.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy')
      }
    })
  }
})
