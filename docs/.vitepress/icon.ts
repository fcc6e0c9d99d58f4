/** The attributes of an icon in the page: browsers would ask the root of the host for one. */
export const ICON = {
  rel: 'icon',
  href: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"%3E%3Crect width="16" height="16" rx="4" fill="%230067a5"/%3E%3Cpath d="M4 4h3v8H4zm5 0h3v3H9zm0 5h3v3H9z" fill="%23fff"/%3E%3C/svg%3E',
}

/** Puts the icon into the HTML of the development server. VitePress adds it in the browser, after the request. */
export const developmentIcon = {
  name: 'development-icon',
  apply: 'serve' as const,
  transformIndexHtml: () => [{ tag: 'link', attrs: ICON, injectTo: 'head' as const }],
}
