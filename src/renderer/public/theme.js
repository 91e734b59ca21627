// Runs before the first paint, so that a chosen theme or density never flashes the other one.
{
  const theme = localStorage.getItem('driftline.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (localStorage.getItem('driftline.density') === 'compact') document.documentElement.dataset.density = 'compact'
}
