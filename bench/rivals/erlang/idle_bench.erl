%% Memory of idle, supervised gen_servers; prints `done <count> <bytes>`.
-module(idle_bench).
-behaviour(supervisor).
-export([main/1, init/1]).

init(Count) ->
    {ok, {#{strategy => one_for_one, intensity => 3, period => 60},
          [#{id => N, start => {gen_server, start_link, [idle_server, N, []]}} || N <- lists:seq(1, Count)]}}.

main(Count) ->
    settle(),
    Before = erlang:memory(total),
    {ok, Root} = supervisor:start_link({local, root}, ?MODULE, Count),
    [pong = gen_server:call(Child, ping) || {_, Child, _, _} <- supervisor:which_children(Root)],
    settle(),
    After = erlang:memory(total),
    io:format("done ~p ~p~n", [proplists:get_value(active, supervisor:count_children(Root)), After - Before]).

settle() ->
    [erlang:garbage_collect(P) || P <- [self(), whereis(root)], is_pid(P)],
    timer:sleep(200).
