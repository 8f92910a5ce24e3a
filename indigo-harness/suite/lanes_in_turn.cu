//@ if !thread
for (int lane = 0; lane < lanes; ++lane) {
//@ else
{
//@ end
